import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

export interface SelfSigned {
  readonly key: Buffer
  readonly cert: Buffer
  /** PEM file of the certificate. */
  readonly path: string
}

/** A new certificate for a name that nobody has signed but itself; its files go with the test. */
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
