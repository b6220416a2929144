import type { ToolRow } from '../../src/engine/rows/row.ts'

/** All tools whose work a tool does, completely or with some argument. */
export const othersOf = ({ does = [], doesWith = {} }: ToolRow): string[] => [
  ...does,
  ...Object.values(doesWith).flatMap(of => (typeof of === 'string' ? of : Object.values(of).flat()))
]
