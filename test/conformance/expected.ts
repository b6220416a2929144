/*
 * Scenarios of the official suite that are known to fail, each with its reason. The list may only shrink: a scenario
 * that passes and stands here fails the run as one does that fails and does not.
 */

const noResources = 'No resources are offered.'
const noPrompts = 'No prompts are offered.'
const noCompletion = 'There is nothing to complete: neither prompts nor resource templates are offered.'

const resources = {
  'resources-list': noResources,
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources
}

const prompts = {
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts
}

const until2025 = {
  ...resources,
  ...prompts,
  'completion-complete': noCompletion,
  'resources-subscribe': noResources,
  'resources-unsubscribe': noResources
}

/** Revision → scenario → why it fails. */
export const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-06-18': until2025,
  '2025-11-25': until2025,
  '2026-07-28': {
    ...resources,
    ...prompts,
    'completion-complete': noCompletion,
    caching: 'Its checks of tools pass; those of prompts and resources need what is not offered.',
    'input-required-result-non-tool-request': noPrompts
  }
}
