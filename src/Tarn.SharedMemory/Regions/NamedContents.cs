namespace Tarn.SharedMemory;

/// <summary>Creates and opens by name what lies in a region.</summary>
internal static class NamedContents
{
    internal static T Create<T>(NamedMemory names, string name, RegionShape shape, SharedRegionOptions? options)
        where T : class, INamedContents<T> =>
        Over<T>(SharedRegion.Create(names, name, shape, options, T.Kind));

    internal static T Open<T>(NamedMemory names, string name, bool allowOtherUsers)
        where T : class, INamedContents<T> =>
        Over<T>(SharedRegion.Open(names, name, T.Kind, allowOtherUsers));

    internal static T CreateOrOpen<T>(
        NamedMemory names, string name, RegionShape shape, SharedRegionOptions? options, bool allowOtherUsers)
        where T : class, INamedContents<T> =>
        Over<T>(SharedRegion.CreateOrOpen(names, name, shape, options, allowOtherUsers, T.Kind));

    internal static T OpenWhenCreated<T>(
        NamedMemory names, string name, TimeSpan timeout, bool allowOtherUsers, CancellationToken cancellationToken)
        where T : class, INamedContents<T> =>
        Over<T>(RegionArrival.Await(names, name, T.Kind, timeout, allowOtherUsers, cancellationToken));

    private static T Over<T>(SharedRegion region)
        where T : class, INamedContents<T>
    {
        try
        {
            return T.Over(region);
        }
        catch
        {
            region.Dispose();
            throw;
        }
    }
}
