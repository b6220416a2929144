/*
 * Forges put the errors of a record into a sentence as Ruby prints a hash of lists: `Note {:note=>["can't be blank"]}`,
 * of Ruby 3.4 on `{note: ["can't be blank"]}`.
 */

const quotes = /"((?:[^"\\]|\\.)*)"/.source
const key = `(?::?${quotes}\\s?=>\\s?|:?(\\w+)(?:=>|:\\s))`
const entry = `${key}(\\[(?:${quotes}(?:,\\s?${quotes})*)?\\])`
const noGroups = (source: string) => source.replace(/\((?!\?)/g, '(?:')
const hash = new RegExp(`\\{${noGroups(entry)}(?:,\\s?${noGroups(entry)})*\\}`, 'g')
const everyEntry = new RegExp(entry, 'g')
const everyText = new RegExp(quotes, 'g')

/**
 * Text with such hashes as a person writes them: `Note (note: can't be blank)`.
 * @param text of a bounded length: each brace of it may be looked at to the end
 */
export const withoutPrintedHashes = (text: string): string =>
  text.includes('{') ? text.replace(hash, printed => `(${entriesOf(printed).join('; ')})`) : text

const entriesOf = (printed: string): string[] =>
  [...printed.matchAll(everyEntry)].map(
    ([, quotedKey, key, list]) => `${quotedKey ?? key}: ${textsOf(list!).join(', ')}`
  )

const textsOf = (list: string): string[] => [...list.matchAll(everyText)].map(([, text]) => unescaped(text!))

const unescaped = (text: string): string => text.replace(/\\(["\\#])/g, '$1')
