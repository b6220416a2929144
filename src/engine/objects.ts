/** What an argument that names an object of a project looks like: a number, or a commit. */
const naming: readonly (readonly [argument: RegExp, value: RegExp])[] = [
  [/(?:^|_)iid$/, /^\d{1,20}$/],
  [/^(?:pipeline|job|deployment|release|milestone|runner|schedule)_id$/, /^\d{1,20}$/],
  [/(?:^|_)sha$/, /^[0-9a-f]{7,64}$/i]
]

/** The arguments of a tool that name an object, each with what its value looks like. */
export type ObjectArguments = readonly (readonly [name: string, value: RegExp])[]

/** @param names of all arguments */
export const objectArguments = (names: readonly string[]): ObjectArguments =>
  names.flatMap(name => {
    const value = naming.find(([argument]) => argument.test(name))?.[1]
    return value === undefined ? [] : [[name, value] as const]
  })
