import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

interface SelfSigned {
  readonly key: Buffer
  readonly cert: Buffer
  /** Path of the PEM file with the certificate. */
  readonly path: string
}

/** A new self-signed certificate for a name. Its files are removed after the test. */
export function selfSigned(t: Test, name = 'localhost'): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', path, '-days', '1', '-subj', `/CN=${name}`],
      ...['-addext', `subjectAltName=DNS:${name}`]
    ],
    { stdio: 'ignore' }
  )
  return { key: readFileSync(key), cert: readFileSync(path), path }
}

/**
 * A certificate that expired long ago. It is made as an authority would make it, as a request cannot choose its dates.
 */
export function expired(t: Test, name = 'localhost'): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const authority = `[ca]
default_ca=here
[here]
database=index.txt
serial=serial
new_certs_dir=.
default_md=sha256
policy=any
x509_extensions=names
[any]
commonName=supplied
[names]
subjectAltName=DNS:${name}
`
  for (const [file, text] of [
    ['index.txt', ''],
    ['serial', '01\n'],
    ['ca.cnf', authority]
  ] as const)
    writeFileSync(join(folder, file), text)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-new', ...ec, '-keyout', key, '-out', 'csr.pem', '-subj', `/CN=${name}`)
  const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z']
  openssl(
    'ca',
    '-config',
    'ca.cnf',
    '-batch',
    '-selfsign',
    '-notext',
    '-keyfile',
    key,
    '-in',
    'csr.pem',
    '-out',
    path,
    ...dates
  )
  return { key: readFileSync(key), cert: readFileSync(path), path }
}
