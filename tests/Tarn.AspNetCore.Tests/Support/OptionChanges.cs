namespace Tarn.AspNetCore.Tests.Support;

internal static class OptionChanges
{
    /// <summary>Returns other options, which differ in what is set.</summary>
    internal static TarnServerOptions With(this TarnServerOptions options, Action<TarnServerOptions> set)
    {
        TarnServerOptions changed = options.Copy();
        set(changed);
        return changed;
    }
}
