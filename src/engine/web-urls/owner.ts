/** A project or group, by its full path. */
export type Owner = { readonly project_path: string } | { readonly group_path: string }

/** The name of the argument for it, and its path. */
export const placeIn = (owner: Owner): readonly [argument: string, path: string] =>
  'project_path' in owner ? ['project_id', owner.project_path] : ['group_id', owner.group_path]
