/** The API key in all backups of earlier versions. */
export const key = 'le_live_3tUu07E1ne5brNYlsZKN4Ig1ucrs1BdG3il2fM'
