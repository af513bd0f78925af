namespace Tarn.Sanitizing.Launching;

/// <summary>Moves a process to a framework whose array pools ask the sanitizer first.</summary>
internal static class Launch
{
    /// <summary>The name in <see cref="AppContext"/> under which the pools of such a framework look for the sanitizer.</summary>
    public const string HookName = "Tarn.PoolHook";

    /// <summary>Returns whether this process runs on such a framework. May not return: the process then begins again on one.</summary>
    public static bool Enter(SanitizerSettings settings) => settings.Root is not null && IsGrafted();

    /// <summary>Asks for a buffer, and listens whether the pool asks back.</summary>
    private static bool IsGrafted()
    {
        bool asked = false;
        AppContext.SetData(HookName, (Func<object, Type, object?>)((_, _) =>
        {
            asked = true;
            return null;
        }));
        System.Buffers.ArrayPool<byte>.Shared.Return(System.Buffers.ArrayPool<byte>.Shared.Rent(1));
        AppContext.SetData(HookName, null);
        return asked;
    }
}
