/**
 * The comment about a patch. The summary quotes the description, so it is in a code block, where the forge executes no
 * quick actions and mentions nobody. The fence is longer than any in the summary.
 */
export function noteText(summary: string): string {
  const longest = Math.max(0, ...(summary.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `The description was changed by a patch:\n\n${fence}text\n${summary}\n${fence}`
}
