/*
 * Scenarios of the official suite that are known to fail, each with its reason. The list may only shrink: a scenario
 * that passes and stands here fails the run as one does that fails and does not.
 */

const noResources = 'No resources are offered.'
const noPrompts = 'No prompts are offered.'
const noCompletion = 'There is nothing to complete: neither prompts nor resource templates are offered.'
const nothingAsked = 'No tool asks its client anything while it runs.'
const noSampling = 'Models are the client’s: this service never asks for one.'
const noRoots = 'What folders a client has is none of this service’s business.'

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
  'resources-unsubscribe': noResources,
  'tools-call-sampling': noSampling,
  'tools-call-elicitation': nothingAsked
}

/** Revision → scenario → why it fails. */
export const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-06-18': until2025,
  '2025-11-25': {
    ...until2025,
    'elicitation-sep1034-defaults': nothingAsked,
    'elicitation-sep1330-enums': nothingAsked
  },
  '2026-07-28': {
    ...resources,
    ...prompts,
    'completion-complete': noCompletion,
    caching: 'Its checks of tools pass; those of prompts and resources need what is not offered.',
    'input-required-result-basic-elicitation': nothingAsked,
    'input-required-result-basic-sampling': noSampling,
    'input-required-result-basic-list-roots': noRoots,
    'input-required-result-request-state': nothingAsked,
    'input-required-result-multiple-input-requests': nothingAsked,
    'input-required-result-multi-round': nothingAsked,
    'input-required-result-non-tool-request': noPrompts,
    'input-required-result-result-type': nothingAsked,
    'input-required-result-tampered-state': nothingAsked,
    'input-required-result-capability-check': nothingAsked
  }
}
