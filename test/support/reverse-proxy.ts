import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'

export type ProxyProgram = 'nginx' | 'haproxy'

/** Debian installs these programs in sbin, which is not in everybody's PATH. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }

/** The installed reverse proxy; undefined if there is none. */
export function findProxy(): ProxyProgram | undefined {
  return (['nginx', 'haproxy'] as const).find(program => {
    try {
      execFileSync(program, ['-v'], { env, stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

/** Starts a reverse proxy that sends each request to the next replica, with the program's default header buffers. */
export async function startProxy(
  t: Test,
  program: ProxyProgram,
  port: number,
  replicas: string[]
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forge-proxy-'))
  const hosts = replicas.map(url => new URL(url).host)
  const file = join(folder, 'proxy.conf')
  writeFileSync(file, program === 'nginx' ? nginxConfig(folder, port, hosts) : haproxyConfig(port, hosts))
  const args = program === 'nginx' ? ['-p', folder, '-c', file] : ['-db', '-f', file]
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  t.teardown(async () => {
    // The proxy may write into its folder until it has ended.
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) break
    const up = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined)
    if (up?.ok) return
    await sleep(50)
  }
  throw new Error(`${program} did not start: ${errors}`)
}

const nginxConfig = (folder: string, port: number, hosts: string[]): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream replicas {
    ${hosts.map(host => `server ${host} max_fails=1 fail_timeout=60s;`).join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://replicas;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      add_header X-Replica $upstream_addr always;
    }
  }
}
`

const haproxyConfig = (port: number, hosts: string[]): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  option forwardfor
  option redispatch 1
  retries 2
listen replicas
  bind 127.0.0.1:${port}
  balance roundrobin
  http-response set-header X-Replica %[srv_name]
  ${hosts.map((host, at) => `server r${at} ${host} check inter 200ms`).join('\n  ')}
`
