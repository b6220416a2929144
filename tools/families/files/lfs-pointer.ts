import type { ReadFile } from '../../../src/engine/files/read-file.ts'

/** Pointers must be shorter than this (Git LFS specification). */
const MAX_POINTER_CHARS = 1024
const pointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n/

/** Whether a text is a Git LFS pointer, which Git stores under the name of a large file. */
export const isLfsPointer = (text: string): boolean => text.length <= MAX_POINTER_CHARS && pointer.test(text)

/** The object that a Git LFS pointer names; undefined for a file that is not a pointer. */
export function lfsPointer(file: ReadFile): { oid: string; size: number } | undefined {
  if (file.kind !== 'text') return undefined
  const { text } = file.lines
  if (!isLfsPointer(text)) return undefined
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1]
  const size = /^size (\d{1,15})$/m.exec(text)?.[1]
  return oid === undefined || size === undefined ? undefined : { oid, size: Number(size) }
}
