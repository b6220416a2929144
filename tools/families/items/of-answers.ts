/** What says which comment another one answers, here or on other servers. */
const names = ['discussion_id', 'thread_id', 'in_reply_to', 'in_reply_to_id', 'reply_to', 'note_id']

/** What to do instead of giving such a name to a tool that does not have it, for `instead` of its schema. */
export const ofAnswers = (instead: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map(name => [name, instead]))
