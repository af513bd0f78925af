namespace Tarn;

/// <summary>What is done one last time when the process ends: checks look at what they keep, and incidents reach their handlers.</summary>
internal static class ProcessEnd
{
    private static readonly Lock s_lock = new();
    private static readonly WeakList<IExitCheck> s_checks = new();
    private static int s_watching;

    /// <summary>From now on <paramref name="check"/>, while it lives, is asked at the end of the process.</summary>
    internal static void Add(IExitCheck check)
    {
        Watch();
        lock (s_lock)
        {
            s_checks.Add(check);
        }
    }

    /// <summary>From now on the process does not end before incidents were handled.</summary>
    internal static void Watch()
    {
        if (Volatile.Read(ref s_watching) == 0 && Interlocked.Exchange(ref s_watching, 1) == 0)
        {
            AppDomain.CurrentDomain.ProcessExit += static (_, _) =>
            {
                LookAtAll(isExit: true);
                BufferDiagnostics.WaitForHandlers();
            };
        }
    }

    /// <summary>Has every check look at what it keeps.</summary>
    internal static void LookAtAll(bool isExit)
    {
        List<IExitCheck> checks;
        lock (s_lock)
        {
            checks = s_checks.GetAlive();
        }

        checks.ForEach(check => check.Look(isExit));
    }
}
