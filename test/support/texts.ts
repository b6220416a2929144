import type { ToolResult } from '../../src/results/result.ts'

/** The texts of a result, blocks of other kinds left out. */
export const textsOf = ({ content }: ToolResult): string[] =>
  content.flatMap(block => (block.type === 'text' ? [block.text] : []))
