import { folderTarget } from './folder-target.ts'
import { s3Target } from './s3-target.ts'
import type { TargetSettings } from './settings.ts'
import type { Target } from './target.ts'

export const openTarget = (settings: TargetSettings): Target =>
  'folder' in settings ? folderTarget(settings.folder) : s3Target(settings)
