namespace Tarn.Testing;

/// <summary>
/// Whether this thread is at work for a scope. What it rents meanwhile, in the framework's code or to write a message, is the scope's own
/// and nobody's.
/// </summary>
internal static class Inside
{
    [ThreadStatic]
    private static int t_depth;

    internal static bool IsTrue => t_depth > 0;

    internal static T Run<T>(Func<T> work)
    {
        t_depth++;
        try
        {
            return work();
        }
        finally
        {
            t_depth--;
        }
    }

    internal static void Run(Action work) => _ = Run<object?>(() =>
    {
        work();
        return null;
    });
}
