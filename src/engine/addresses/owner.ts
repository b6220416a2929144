/** A project or group, by its full path. */
export type Owner = { readonly project_path: string } | { readonly group_path: string }
