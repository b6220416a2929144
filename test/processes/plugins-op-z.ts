import { runProcess } from '../support/process-files.ts'

await runProcess('plugins-op-z')
