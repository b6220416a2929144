import type { Config } from './schema.ts'

/** Whether a log level leaves out lines of level info, such as audit lines. */
export const isQuiet = (level: string): boolean => !['trace', 'debug', 'info'].includes(level)

/** Notes on the log for the operator. Over stdio, only the person who started the service makes calls. */
export const logNotes = ({ LOG_LEVEL, STREAMABLE_HTTP }: Config): string[] =>
  STREAMABLE_HTTP && isQuiet(LOG_LEVEL)
    ? [`LOG_LEVEL=${LOG_LEVEL}: calls are not on record, as the audit lines have level info.`]
    : []
