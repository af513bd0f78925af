using System.Diagnostics;
using System.Reflection;

namespace Tarn.Lab.Running;

/// <summary>Refuses to measure what nobody ships: code built without optimization, or watched by a debugger.</summary>
internal static class BuildGuard
{
    /// <summary>Why this process must not measure; null when it may.</summary>
    public static string? FindReasonToRefuse()
    {
        if (Debugger.IsAttached)
        {
            return "A debugger is attached: what it watches runs differently. Run the lab without one.";
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
