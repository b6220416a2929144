import type { ToolResult } from '../../src/results/result.ts'

/** The texts of a result, without blocks of other kinds. */
export const textsOf = ({ content }: ToolResult): string[] =>
  content.flatMap(block => (block.type === 'text' ? [block.text] : []))
