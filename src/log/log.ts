import { type DestinationStream, type LoggerOptions, levels } from 'pino'
import type { Config } from '../config/schema.ts'
import { plainLine } from './plain-line.ts'

/*
 * Logs by allow-list: a serializer names the few fields that are written, and the last filter takes out
 * whatever still looks like a secret, wherever in a line it stands.
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
 * What writes lines of level info with one message, each as the logger would, for a third of its price: there is one
 * for every call.
 * @param logger whose level holds, which may change
 * @param lines where the log goes
 * @returns takes the fields of a line, one at least
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
