import type { Command } from './config/argv.ts'
import { printConfig, printPresets, printTools } from './docs.ts'
import { printPrompts } from './prompts/printed.ts'
import { printResources } from './resources/printed.ts'
import { createServer } from './server.ts'

/** The pages of docs/ that are printed from the code. */
type PrintedPage = Exclude<Command, 'serve' | 'doctor' | 'make-secret' | 'help' | 'version'>

/** Prints a page as Markdown, for a service without any settings. */
export async function printPage(page: PrintedPage): Promise<string> {
  if (page === 'config') return printConfig()
  const fastify = await createServer({ LOG_LEVEL: 'silent' })
  const { catalog, prompts, resources } = fastify
  await fastify.close()
  switch (page) {
    case 'tools':
      return printTools(catalog)
    case 'presets':
      return printPresets(catalog)
    case 'prompts':
      return `${printPrompts(prompts?.rows ?? [])}\n${printResources(resources?.rows ?? [])}`
  }
}
