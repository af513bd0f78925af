using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The steps of a <c>ShortLock</c>, for models of code that runs under one.</summary>
internal static class ShortLockSteps
{
    private const string Source = "src/Tarn/Primitives/ShortLock.cs";

    internal static void AddEnter(ThreadProgram thread, int isHeld, Expression old)
    {
        thread.From(Source, "Enter");
        thread.Exchange(old, isHeld, 1, "Interlocked.CompareExchange(ref _isHeld, 1, 0) != 0", until: old.Is(0));
    }

    internal static void AddExit(ThreadProgram thread, int isHeld)
    {
        thread.From(Source, "Exit");
        thread.Store(isHeld, 0, "Volatile.Write(ref _isHeld, 0);", StepOrder.Release);
    }
}
