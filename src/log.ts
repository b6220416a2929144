import type { LoggerOptions } from 'pino'
import type { Config } from './config/schema.ts'

/*
 * Logs by allow-list: a serializer names the few fields that are written, and the last filter takes out
 * whatever still looks like a secret, wherever in a line it stands (reference: hardening.md 1.9).
 */

const tokenShapes = [
  /\bgl[a-z]{2,10}-[\w.-]{10,}/g,
  /\bv1\.(sid|pc|ps|cid)\.[\w.-]+/g,
  /\b(bearer|basic) +[\w.~+/=-]{8,}/gi,
  /(:\/\/)[^\s/@"\\]+@/g,
  /\b(\w*(?:token|secret|password|code|state)=)[^\s&"\\]+/gi
]

/** Replaces everything in a log line that looks like a token, a sealed value or a credential in a URL. */
export function withoutTokens(line: string): string {
  let clean = line
  for (const shape of tokenShapes)
    clean = clean.replace(shape, (found, kept) =>
      typeof kept === 'string' && found.startsWith(kept) ? `${kept}[redacted]` : '[redacted]'
    )
  return clean
}

interface ErrorFields {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: ErrorFields
}

function errorFields(error: Error & { code?: string }): ErrorFields {
  return {
    type: error.name,
    message: error.message,
    ...(error.code !== undefined && { code: String(error.code) }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause instanceof Error && { cause: errorFields(error.cause) })
  }
}

/** pino options of the service. */
export function logOptions(config: Pick<Config, 'LOG_LEVEL'>): LoggerOptions {
  return {
    level: config.LOG_LEVEL,
    base: null,
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?', 1)[0] }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      err: errorFields
    },
    hooks: { streamWrite: withoutTokens }
  }
}
