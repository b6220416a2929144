/*
 * Forges put the errors of a record into a sentence in the way Ruby prints a hash of lists: `Note {:note=>["can't be
 * blank"]}`, since Ruby 3.4 `{note: ["can't be blank"]}`.
 */

const quotes = /"((?:[^"\\]|\\.)*)"/.source
const key = `(?::?${quotes}\\s?=>\\s?|:?(\\w+)(?:=>|:\\s))`
const entry = `${key}(\\[(?:${quotes}(?:,\\s?${quotes})*)?\\])`
const noGroups = (source: string) => source.replace(/\((?!\?)/g, '(?:')
const hash = new RegExp(`\\{${noGroups(entry)}(?:,\\s?${noGroups(entry)})*\\}`, 'g')
const everyEntry = new RegExp(entry, 'g')
const everyText = new RegExp(quotes, 'g')

/**
 * Rewrites such hashes as a person would: `Note (note: can't be blank)`.
 * @param text of bounded length: for each brace, it may be scanned to its end
 */
export const withoutPrintedHashes = (text: string): string =>
  text.includes('{') ? text.replace(hash, printed => `(${entriesOf(printed).join('; ')})`) : text

const entriesOf = (printed: string): string[] =>
  [...printed.matchAll(everyEntry)].map(
    ([, quotedKey, key, list]) => `${quotedKey ?? key}: ${textsOf(list!).join(', ')}`
  )

const textsOf = (list: string): string[] => [...list.matchAll(everyText)].map(([, text]) => unescaped(text!))

const unescaped = (text: string): string => text.replace(/\\(["\\#])/g, '$1')
