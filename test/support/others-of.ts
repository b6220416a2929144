import type { ToolRow } from '../../src/engine/rows/row.ts'

/** All whose work a tool does, whole or by an argument. */
export const othersOf = ({ does = [], doesWith = {} }: ToolRow): string[] => [
  ...does,
  ...Object.values(doesWith).flatMap(of => (typeof of === 'string' ? of : Object.values(of).flat()))
]
