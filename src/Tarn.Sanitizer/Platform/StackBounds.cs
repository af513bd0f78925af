using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Sanitizing.Platform;

/// <summary>Where the current thread's stack ends, so that a walk never reads past it.</summary>
internal static unsafe partial class StackBounds
{
    /// <summary>More than <c>pthread_attr_t</c> takes on any system: 64 bytes on Linux.</summary>
    private const int AttributeBytes = 256;

    [ThreadStatic]
    private static nint t_top;

    /// <summary>The address above the outermost frame; 0 where the system does not say.</summary>
    internal static nint Top
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => t_top != 0 ? t_top : Find();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nint Find()
    {
        try
        {
            return t_top = OperatingSystem.IsWindows() ? OnWindows() : OperatingSystem.IsMacOS() ? OnMac() : OnLinux();
        }
        catch (Exception exception) when (exception is DllNotFoundException or EntryPointNotFoundException)
        {
            return 0;
        }
    }

    private static nint OnWindows()
    {
        GetCurrentThreadStackLimits(out _, out nint high);
        return high;
    }

    private static nint OnMac() => MacStackAddress(MacSelf());

    private static nint OnLinux()
    {
        byte* attributes = stackalloc byte[AttributeBytes];
        if (LinuxGetAttributes(LinuxSelf(), attributes) != 0)
        {
            return 0;
        }

        bool isKnown = LinuxGetStack(attributes, out nint lowest, out nint size) == 0;
        _ = LinuxFreeAttributes(attributes);
        return isKnown ? lowest + size : 0;
    }

    [DllImport("kernel32")]
    private static extern void GetCurrentThreadStackLimits(out nint low, out nint high);

    [DllImport("libSystem", EntryPoint = "pthread_self")]
    private static extern nint MacSelf();

    [DllImport("libSystem", EntryPoint = "pthread_get_stackaddr_np")]
    private static extern nint MacStackAddress(nint thread);

    [DllImport("libc", EntryPoint = "pthread_self")]
    private static extern nint LinuxSelf();

    [DllImport("libc", EntryPoint = "pthread_getattr_np")]
    private static extern int LinuxGetAttributes(nint thread, byte* attributes);

    [DllImport("libc", EntryPoint = "pthread_attr_getstack")]
    private static extern int LinuxGetStack(byte* attributes, out nint lowest, out nint size);

    [DllImport("libc", EntryPoint = "pthread_attr_destroy")]
    private static extern int LinuxFreeAttributes(byte* attributes);
}
