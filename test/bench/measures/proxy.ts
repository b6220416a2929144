import { startIngress } from '../../roll/ingress.ts'

/** A proxy that sends to programs by turns. @param urls http://127.0.0.1:PORT */
export async function behindProxy(urls: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const ingress = await startIngress()
  for (const url of urls) await ingress.add(url)
  return { url: new URL(ingress.strict).origin, stop: () => ingress.stop() }
}
