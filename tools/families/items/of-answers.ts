/** Names of arguments that say which comment another one answers, here or on other servers. */
const names = ['discussion_id', 'thread_id', 'in_reply_to', 'in_reply_to_id', 'reply_to', 'note_id']

/** Advice for a tool that has none of these arguments, for the `instead` of its schema. */
export const ofAnswers = (instead: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map(name => [name, instead]))
