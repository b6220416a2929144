import { type Advice, explainPart, isStatus } from '../../results/failure.ts'

/*
 * Several requests of one call at once. upstream/guard bounds the requests of one caller; these functions keep answers
 * in order, and failed parts separate from the others.
 */

/**
 * Maps items by `run`, at most `width` at a time; the results are in order. @throws the first error; no further item is
 * begun then
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  width: number,
  run: (item: Item, at: number) => Promise<Result>
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  let next = 0
  let failed = false
  const worker = async () => {
    while (next < items.length && !failed) {
      const at = next++
      try {
        results[at] = await run(items[at]!, at)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}

/** A part of an answer: its value, or else the error and a sentence about it for the caller. */
export type Part<Value> =
  | { readonly value: Value; readonly problem?: undefined; readonly error?: undefined }
  | { readonly value?: undefined; readonly problem: string; readonly error: unknown }

/** The part as it is shown: its value, or the sentence why there is none. */
export const shownPart = (part: Part<unknown>): unknown => part.problem ?? part.value

type Reads = Readonly<Record<string, () => Promise<unknown>>>
type Parts<R extends Reads> = { readonly [Name in keyof R]: Part<Awaited<ReturnType<R[Name]>>> }

/**
 * Reads the parts of one answer side by side. If one fails, the others are still read.
 * @param advice next steps by status, which take precedence over the general ones
 * @returns the value or problem of each part, by name
 * @throws errors that are faults of this service, and not failures of the caller or the forge
 */
export async function readParts<const R extends Reads>(reads: R, advice?: Advice): Promise<Parts<R>> {
  const parts = await Promise.all(
    Object.entries(reads).map(async ([name, read]) => [name, await partOf(read, advice)] as const)
  )
  return Object.fromEntries(parts) as Parts<R>
}

/** The advice for a missing part: nothing else in the answer depends on it. */
const restIsThere: Advice = { 403: 'What else is shown is complete.', 404: 'What else is shown is complete.' }

/**
 * Reads an additional part of an answer. If that fails, the answer is given without it.
 * @throws as readParts; ForgeStatusError 401, as a credential that is no longer accepted gets no answer
 */
export async function furtherPart<Value>(read: () => Promise<Value>): Promise<Part<Value>> {
  const { part } = await readParts({ part: read }, restIsThere)
  if (isStatus(part.error, [401])) throw part.error
  return part
}

async function partOf(read: () => Promise<unknown>, advice?: Advice): Promise<Part<unknown>> {
  try {
    return { value: await read() }
  } catch (error) {
    const problem = explainPart(error, advice)
    if (problem === undefined) throw error
    return { problem, error }
  }
}
