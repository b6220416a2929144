/**
 * The comment that tells of a patch. The summary quotes the description, so it stands in a code block, where
 * the forge runs no quick action and mentions no one, behind a fence longer than any in it.
 */
export function noteText(summary: string): string {
  const longest = Math.max(0, ...(summary.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `The description was changed by a patch:\n\n${fence}text\n${summary}\n${fence}`
}
