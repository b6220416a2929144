import { type Advice, explainFailure } from '../results/failure.ts'

/*
 * Several requests of one call at once. The forge's turns (upstream/guard) bound what one caller may have under
 * way; these keep the order of answers and the parts that failed apart from those that did not.
 */

/** Maps items by `run`, at most `width` at a time, in their order. @throws the first error, after which none begins */
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

/** One part of an answer: what was read, or why it could not be, in words for the caller and as it was thrown. */
export type Part<Value> =
  | { readonly value: Value; readonly problem?: undefined; readonly error?: undefined }
  | { readonly value?: undefined; readonly problem: string; readonly error: unknown }

type Reads = Readonly<Record<string, () => Promise<unknown>>>
type Parts<R extends Reads> = { readonly [Name in keyof R]: Part<Awaited<ReturnType<R[Name]>>> }

/**
 * Reads the parts of one answer side by side; one that fails takes no other with it.
 * @param advice next steps by status, before the general ones
 * @returns for each name what was read, or the problem
 * @throws what is no caller's or forge's failure but a fault of this service
 */
export async function readParts<const R extends Reads>(reads: R, advice?: Advice): Promise<Parts<R>> {
  const parts = await Promise.all(
    Object.entries(reads).map(async ([name, read]) => [name, await partOf(read, advice)] as const)
  )
  return Object.fromEntries(parts) as Parts<R>
}

async function partOf(read: () => Promise<unknown>, advice?: Advice): Promise<Part<unknown>> {
  try {
    return { value: await read() }
  } catch (error) {
    const problem = explainFailure(error, false, advice)
    if (problem === undefined) throw error
    return { problem, error }
  }
}
