import { sameLooking, thereAs } from '../../results/unseen-in-names.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import type { NamedIn } from '../arguments/argument-flags.ts'
import { sameName } from '../arguments/same-name.ts'
import type { Arguments } from '../arguments/values.ts'
import { listed, page, textsOf } from './listed.ts'

/** Where the names of each kind are listed, by which field, and whether the list takes a part of one. */
const lists: Readonly<Partial<Record<NamedIn, readonly [list: string, field: string, isSearched: boolean]>>> =
  {
    label: ['labels', 'name', true],
    release: ['releases', 'tag_name', false],
    revision: ['repository/branches', 'name', true],
    tag: ['repository/tags', 'name', true]
  }

/** What people write before the name of a label, a person or a milestone, and none begins with. */
const SIGIL = /^[~@%]/

/** Shorter texts find nothing at some forges but what is called so. */
const LEAST_SEARCHED = 3

/** The part of a name that one which looks the same has as well: there may be several ways to write what is beyond ASCII. */
function searchable(name: string): string {
  if (/^[ -~]*$/.test(name)) return name
  const plain =
    name.match(/[!-~]+/g)?.reduce((longest, run) => (run.length > longest.length ? run : longest)) ?? ''
  return plain.length < LEAST_SEARCHED ? name : plain
}

/**
 * Finds what is to be deleted under the same name, but for the case of letters and a sigil: any other name may be a
 * neighbour's.
 * @returns a sentence that it is there; undefined where none is, or where it has the very name
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
