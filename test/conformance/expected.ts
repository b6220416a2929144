/*
 * Scenarios of the official suite that are known to fail, each with its reason. The list may only shrink: a scenario
 * that passes and stands here fails the run as one does that fails and does not.
 */

const noSubscription = 'A forge tells of no change: each subscription would be a poll in its caller’s name.'

const until2025 = {
  'resources-subscribe': noSubscription,
  'resources-unsubscribe': noSubscription
}

/** Revision → scenario → why it fails. */
export const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-06-18': until2025,
  '2025-11-25': until2025,
  '2026-07-28': {}
}
