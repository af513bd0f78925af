namespace Tarn.Pages;

/// <summary>A self-contained page around its contents: no request leaves it.</summary>
internal static class PageShell
{
    /// <param name="title">The text of the browser's tab.</param>
    /// <param name="css">The style sheet.</param>
    /// <param name="scripts">What follows <see cref="PageScript"/>.</param>
    /// <param name="writeBody">Writes what the page shows.</param>
    public static string Write(string title, string css, IEnumerable<string> scripts, Action<Markup> writeBody)
    {
        var html = new Markup();
        html.Raw($"""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>{Markup.Encode(title)}</title>
            <link rel="icon" href="data:,">
            <style>
            {css}
            </style>
            </head>
            <body>
            <main>

            """);
        writeBody(html);
        html.Raw($"""
            </main>
            <div id="tip" role="presentation" hidden></div>
            <script>
            {string.Join('\n', scripts.Prepend(PageScript.JavaScript))}
            </script>
            </body>
            </html>

            """);
        return html.ToString();
    }
}
