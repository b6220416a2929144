import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import envSchema from 'env-schema'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { ConfigSchema } from './src/config/schema.ts'

/*
 * npm run build: the program and all that it needs in a few files. Node looks for, reads and links hundreds of small
 * ones much longer than it takes to run them, and every stdio client waits for that. What is loaded by `import()` is a
 * file of its own, so that a mode loads what it uses.
 */

const OUT = 'dist/src'

/**
 * Of undici what this program uses. Its index also has fetch, WebSocket, caches and mocks, which take longer to load than
 * that.
 */
const undici: Plugin = {
  name: 'undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'undici' }))
    onLoad({ filter: /.*/, namespace: 'undici' }, () => ({
      resolveDir: '.',
      contents: `
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
        import api from 'undici/lib/api/index.js'
        Object.assign(Dispatcher.prototype, api)
        export { Dispatcher }
        export { default as Agent } from 'undici/lib/dispatcher/agent.js'
        export { default as Pool } from 'undici/lib/dispatcher/pool.js'
        export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js'
        export { default as buildConnector } from 'undici/lib/core/connect.js'`
    }))
  }
}

/**
 * Of env-schema its check of the one schema that there is, compiled here: at each start that took a quarter of it.
 */
const settings: Plugin = {
  name: 'settings',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(env-schema|settings-check)$/ }, ({ path }) => ({ path, namespace: 'settings' }))
    onLoad({ filter: /^settings-check$/, namespace: 'settings' }, () => ({ contents: settingsCheck() }))
    onLoad({ filter: /^env-schema$/, namespace: 'settings' }, () => ({
      contents: `
        const check = require('settings-check')
        module.exports = ({ data }) => {
          const config = { ...data }
          if (check(config)) return config
          throw Object.assign(new Error('settings do not fit'), { errors: check.errors })
        }`
    }))
  }
}

/** The code that env-schema's own Ajv makes of the schema. */
function settingsCheck(): string {
  let code = ''
  const customOptions = (ajv: Ajv): Ajv => {
    ajv.opts.code.source = true
    code = standalone.default(ajv, ajv.compile({ ...ConfigSchema, additionalProperties: false }))
    return ajv
  }
  envSchema({ schema: { type: 'object' }, data: {}, env: false, ajv: { customOptions } })
  return code
}

/**
 * Node's own modules by `require`. For an `import` Node asks a module for all that it exports, and with that of node:http
 * it loads its fetch and WebSocket, with that of node:crypto WebCrypto.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtins' } : { path, external: true }
    )
    onLoad({ filter: /.*/, namespace: 'builtins' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`
    }))
  }
}

/** What is built, and how; where is for whoever builds. */
export const options = {
  entryPoints: {
    cli: 'src/cli.ts',
    // Beside whatever starts it.
    worker: 'src/workers/worker.ts',
    // For programs that add rows of their own to the built server, as the conformance run does.
    server: 'src/server.ts',
    'results/problem': 'src/results/problem.ts'
  },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  // Packages of the older kind ask for Node's own modules by `require`.
  banner: {
    js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);"
  },
  plugins: [undici, settings, builtins],
  // src/server.ts gives Fastify others.
  external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
  metafile: true,
  logLevel: 'warning'
} as const satisfies BuildOptions

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync('dist', { recursive: true, force: true })
  const { metafile } = await build({ ...options, outdir: OUT })
  writeFileSync(join(OUT, 'third-party-licenses.txt'), licensesOf(Object.keys(metafile.inputs)))
}

/** The licenses of the packages whose files are in the build. */
function licensesOf(files: readonly string[]): string {
  const folders = files.flatMap(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [])
  return [...new Set(folders)].sort().map(licenseOf).join('\n\n')
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
  return `${name} ${version} (${license})${text}`
}
