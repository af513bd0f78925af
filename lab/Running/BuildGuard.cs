using System.Diagnostics;
using System.Reflection;

namespace Tarn.Lab.Running;

/// <summary>Refuses to measure code that is never shipped: built without optimization, or under a debugger.</summary>
internal static class BuildGuard
{
    /// <summary>Returns the reason why this process must not measure; null if it may.</summary>
    public static string? FindReasonToRefuse()
    {
        if (Debugger.IsAttached)
        {
            return "A debugger is attached, which changes how code runs. Run the lab without it.";
        }

        foreach (Assembly assembly in new[] { typeof(BuildGuard).Assembly, typeof(BufferPool<byte>).Assembly })
        {
            if (assembly.GetCustomAttribute<DebuggableAttribute>() is { IsJITOptimizerDisabled: true })
            {
                return $"{assembly.GetName().Name} is a Debug build, whose figures mean nothing. Use: dotnet run -c Release --project lab";
            }
        }

        return null;
    }
}
