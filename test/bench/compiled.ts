import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'

const dist = new URL('../../dist', import.meta.url)

/**
 * What a program of TypeScript is for a Node that cannot read it: of the server the build, of a program of the
 * benchmark its text without types.
 * @param file path from this folder
 * @returns the same
 */
export function compiled(file: string): string {
  if (file.startsWith('../../')) {
    const built = file.replace('../../', '../../dist/').replace(/\.ts$/, '.js')
    if (!existsSync(new URL(built, import.meta.url))) throw new Error('There is no build: npm run build')
    return built
  }
  const { outputText } = ts.transpileModule(readFileSync(new URL(file, import.meta.url), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
  })
  const path = `bench/${basename(file, '.ts')}.js`
  mkdirSync(new URL('bench/', dist), { recursive: true })
  writeFileSync(new URL(path, dist), outputText)
  return `../../dist/${path}`
}
