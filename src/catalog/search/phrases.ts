/**
 * Phrases that are replaced by other words, in the order in which they are applied; the text is in lower case and
 * without hyphens.
 */
export const phrases: readonly (readonly [RegExp, string])[] = [
  // All names of a merge request become one word, so that they do not count as the verb in merge_merge_request.
  [/\b(?:(?:merge|pull) +request|[mp]r)(s?)\b/g, 'mergerequest$1'],
  // Release notes are not notes on anything else, whatever they are generated from.
  [/\brelease +notes?\b(?: +(?:from|of|for|out of) +(?:\w+ +)?mergerequests?)?/g, 'releasenotes'],
  // A period of time, which a schedule is for.
  [
    /\b(?:(?:every|each) +(?:\w+ +)?(?:minute|hour|day|weekday|night|morning|evening|week|month)s?|hourly|daily|nightly|weekly|monthly)\b/g,
    'cron'
  ],
  [/\b(?:undo|withdraw|(?:roll|take)(?:ing|ed)? *back)\b/g, 'revert'],
  [/\bre *(?:run|start)\b/g, 'retry'],
  [/\b(?:run|start)((?: +\w+){0,3}) +again\b/g, 'retry$1'],
  // A request for somebody else's review.
  [/\b(?:request|ask)\b(?: +(?!mergerequest)\w+){0,3} +review\b/g, 'update reviewer'],
  // Reviews that wait for the caller.
  [
    /\b(?:i +(?:should|must|need +to|have +to)|(?:for|needs?|needing) +(?:my|me +to)|(?<=mergerequests? +)to) +review\b/g,
    'list reviewer'
  ],
  // A folder is only the target of the move.
  [
    /\bmov(?:e|ing) +(?:\w+ +){0,2}?files?\b(?: +(?:in)?to +(?:\w+ +){0,2}?(?:folder|dir(?:ectory)?)\b)?/g,
    'commit files'
  ],
  [/\b(?:folder|dir)(?=s?\b)/g, 'directory'],
  [
    /\b(?:set(?: +up)?|add|create|configure|enable|turn +on) +(?:\w+ +)?branch +protections?\b/g,
    'protect branch'
  ],
  [/\bbranch(?:es)? +protections?\b/g, 'protected branch'],
  [/\bhistory\b/g, 'list commits']
]
