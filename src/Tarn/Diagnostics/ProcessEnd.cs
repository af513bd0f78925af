namespace Tarn.Diagnostics;

/// <summary>The work at the end of the process: checks verify what they keep, and incidents reach their handlers.</summary>
internal static class ProcessEnd
{
    private static readonly Lock s_lock = new();
    private static readonly WeakList<IExitCheck> s_checks = new();
    private static int s_watching;

    /// <summary>Registers <paramref name="check"/> to run at the end of the process, if it is still alive then.</summary>
    internal static void Add(IExitCheck check)
    {
        Watch();
        using (s_lock.Hold())
        {
            s_checks.Add(check);
        }
    }

    /// <summary>Makes the process wait for the handlers of incidents before it ends.</summary>
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

    /// <summary>Runs every registered check.</summary>
    internal static void LookAtAll(bool isExit)
    {
        List<IExitCheck> checks;
        using (s_lock.Hold())
        {
            checks = s_checks.GetAlive();
        }

        checks.ForEach(check => check.Look(isExit));
    }
}
