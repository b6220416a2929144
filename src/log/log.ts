import { type DestinationStream, type LoggerOptions, levels } from 'pino'
import type { Config } from '../config/schema.ts'
import { plainLine } from './plain-line.ts'

/*
 * Logs by allow-list: a serializer names the few fields that are written, and the last filter removes whatever still
 * looks like a secret, anywhere in a line.
 */

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
    hooks: { streamWrite: plainLine }
  }
}

/**
 * The logger for lines that whoever starts the service waits for, or has to act on. It writes them even if the log
 * level would leave them out. A client of stdio that sets a level does not wait for any of them.
 */
export const startLog = <L extends StartLogger<L>>(
  log: L,
  { STREAMABLE_HTTP }: Pick<Config, 'STREAMABLE_HTTP'>
): L => (STREAMABLE_HTTP && log.level !== 'silent' ? log.child({}, { level: 'info' }) : log)

interface StartLogger<L> {
  readonly level: string
  child(bindings: object, options: { level: 'info' }): L
}

/**
 * Makes a writer of info lines with one fixed message. The lines equal those of the logger, at a third of the cost:
 * there is one for every call.
 * @param logger its level decides whether lines are written, and may change
 * @param lines where the log goes
 * @returns a function that takes the fields of a line, at least one
 */
export function infoWriter(
  logger: { readonly level: string },
  msg: string,
  lines: DestinationStream
): (fields: object) => void {
  const level = levels.values.info!
  const isOn = () => (levels.values[logger.level] ?? Number.POSITIVE_INFINITY) <= level
  const begin = `{"level":${level},"time":`
  const end = `,"msg":${JSON.stringify(msg)}}\n`
  return fields => {
    if (isOn()) lines.write(plainLine(`${begin}${Date.now()},${JSON.stringify(fields).slice(1, -1)}${end}`))
  }
}
