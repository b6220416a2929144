import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import { quietly, run } from '../../support/program.ts'
import { folderOf } from '../../support/registries.ts'
import { versions } from './releases.ts'

/* Another server of tools for the same forge: the GraphQL documents in its source. Nothing of it is run. */

const wanted = '@zereight/mcp-gitlab' as const

/** @returns its name with its version, and the texts in it that may be documents @throws Unavailable */
export async function peerDocuments(): Promise<{ name: string; documents: string[] }> {
  const name = `${wanted}@${versions[wanted]}`
  const folder = await folderOf(`packed-${name}`, async folder => {
    const packed = await run('npm', ['pack', ...quietly, name], { cwd: folder })
    await run('tar', ['-xf', packed.trim()], { cwd: folder })
  })
  const text = await readFile(`${folder}/package/build/index.js`, 'utf8')
  const file = ts.createSourceFile('index.js', text, ts.ScriptTarget.Latest, true)
  return { name: `${wanted} ${versions[wanted]}`, documents: templatesOf(file).filter(isQuestion) }
}

const isQuestion = (text: string) => /^\s*(query|mutation)\b/.test(text)

/** Every template of a file; constants of the file stand in them with their text, everything else with nothing. */
function templatesOf(file: ts.SourceFile): string[] {
  const constants = new Map<string, string>()
  const texts: string[] = []
  const textOf = (node: ts.TemplateExpression): string =>
    node.templateSpans
      .reduce(
        (text, { expression, literal }) => text + (constants.get(expression.getText()) ?? '') + literal.text,
        node.head.text
      )
      // Variables that are put together when the document is sent.
      .replace(/^(\s*\w+)\s*\(\s*\)/, '$1')
  const visit = (node: ts.Node): void => {
    if (ts.isNoSubstitutionTemplateLiteral(node)) {
      texts.push(node.text)
      if (ts.isVariableDeclaration(node.parent)) constants.set(node.parent.name.getText(), node.text)
    } else if (ts.isTemplateExpression(node)) texts.push(textOf(node))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return texts
}
