namespace Tarn.Sanitizing.Checking;

/// <summary>
/// Whether this thread is at work for the checker. What it rents meanwhile, in the framework's code, is the checker's and is served by the
/// original pool.
/// </summary>
internal static class Inside
{
    [ThreadStatic]
    private static int t_depth;

    internal static bool IsTrue => t_depth > 0;

    internal static void Enter() => t_depth++;

    internal static void Leave() => t_depth--;
}
