import { sameLooking, thereAs } from '../../results/unseen-in-names.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import type { NamedIn } from '../arguments/argument-flags.ts'
import { sameName } from '../arguments/same-name.ts'
import type { Arguments } from '../arguments/values.ts'
import { listed, page, textsOf } from './listed.ts'

/** The list of names of each kind, the field with the name, and whether the list has a search for a part of it. */
const lists: Readonly<Partial<Record<NamedIn, readonly [list: string, field: string, isSearched: boolean]>>> =
  {
    label: ['labels', 'name', true],
    release: ['releases', 'tag_name', false],
    revision: ['repository/branches', 'name', true],
    tag: ['repository/tags', 'name', true]
  }

/** Signs that people write before the name of a label, a person or a milestone. No name begins with one. */
const SIGIL = /^[~@%]/

/** Some forges find shorter texts only as whole names. */
const MIN_SEARCHED = 3

/**
 * A part of the name that every name which looks the same contains, too: its longest run of ASCII characters. Other
 * characters may be written in several ways.
 */
function searchable(name: string): string {
  if (/^[ -~]*$/.test(name)) return name
  const plain =
    name.match(/[!-~]+/g)?.reduce((longest, run) => (run.length > longest.length ? run : longest)) ?? ''
  return plain.length < MIN_SEARCHED ? name : plain
}

/**
 * Finds a thing to be deleted by the same name, ignoring case and a sign before it. A name that differs otherwise may
 * belong to another thing.
 * @returns a sentence that it exists under the other spelling; undefined if it does not, or if a thing has exactly the
 *   given name
 * @throws what ForgeClient.send throws
 */
export const sameNamed =
  (kind: NamedIn) =>
  async (name: string, args: Arguments, { forge }: { readonly forge: ForgeClient }) => {
    const list = lists[kind]
    if (list === undefined) return undefined
    const [template, field, isSearched] = list
    const bare = name.replace(SIGIL, '')
    const query = isSearched ? { ...page, search: searchable(bare) } : page
    const names = textsOf(await listed(template, args, query, forge), field)
    const there = names.find(sameName(bare)) ?? sameLooking(bare, names)
    if (there === undefined || names.includes(name)) return undefined
    return thereAs(there, 'and was not deleted: give its name exactly so', bare)
  }
