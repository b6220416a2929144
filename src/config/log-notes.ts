import type { Config } from './schema.ts'

/** Whether lines of level info, as those of the audit are, are left out at a level. */
export const isQuiet = (level: string): boolean => !['trace', 'debug', 'info'].includes(level)

/** Notes for the operator on the log. Over stdio nobody calls but the person who started it. */
export const logNotes = ({ LOG_LEVEL, STREAMABLE_HTTP }: Config): string[] =>
  STREAMABLE_HTTP && isQuiet(LOG_LEVEL)
    ? [`LOG_LEVEL=${LOG_LEVEL}: calls are not on record, as the audit lines have level info.`]
    : []
