using System.Diagnostics;
using System.Reflection;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Tarn.Testing;

/// <summary>Whether the code that disposes something does so because an exception leaves it.</summary>
/// <remarks>
/// The runtime knows whether an exception is being handled on a thread. That is also so in what runs within a handler: an asynchronous
/// method goes on there after it awaited one that failed. So one of the thread's last exceptions must have passed the code that disposes.
/// </remarks>
internal static class LeavingException
{
    /// <summary>More than one, because disposals before this one may have thrown and caught others.</summary>
    private const int Most = 8;

    /// <summary>Weak: nobody else may need them any more.</summary>
    [ThreadStatic]
    private static Queue<WeakReference<Exception>>? t_last;

    /// <summary>Called within a method that disposes.</summary>
    internal static bool IsThere => Marshal.GetExceptionPointers() != 0
        && Array.Find(new StackTrace().GetFrames(), static frame => !IsDisposals(frame))?.GetMethod() is { } owner
        && t_last is { } last
        && last.Any(one => one.TryGetTarget(out Exception? exception) && Passed(exception, owner));

    internal static void Note(object? sender, FirstChanceExceptionEventArgs thrown)
    {
        Queue<WeakReference<Exception>> last = t_last ??= new(Most);
        if (last.Count == Most)
        {
            _ = last.Dequeue();
        }

        last.Enqueue(new(thrown.Exception));
    }

    private static bool Passed(Exception exception, MethodBase owner) =>
        Array.Exists(new StackTrace(exception).GetFrames(), frame => frame.GetMethod() == owner);

    private static bool IsDisposals(StackFrame frame) =>
        frame.GetMethod() is not { } method || method.Module == typeof(LeavingException).Module
        || method.Name.EndsWith(nameof(IDisposable.Dispose), StringComparison.Ordinal);
}
