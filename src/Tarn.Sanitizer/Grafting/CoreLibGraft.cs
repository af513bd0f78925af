using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Tarn.Sanitizing.Grafting;

/// <summary>Makes the array pools of a System.Private.CoreLib ask a hook, and changes nothing else.</summary>
/// <remarks>
/// <list type="number">
/// <item>A few rows and blobs are added to the metadata, at the ends, so that all tokens stay (<see cref="MetadataAppender"/>).</item>
/// <item>Rent and Return of both pools get bodies that ask first (<see cref="HookedBody"/>).</item>
/// <item>Bodies and metadata go behind the end of the last section, so that nothing moves (<see cref="PatchedImage"/>).</item>
/// <item>The compiled code of these methods is hidden (<see cref="InstanceTable"/>); all other compiled code stays.</item>
/// </list>
/// Where the compiled code is of an unknown form, the copy has none, and starts as slowly as a framework that was never compiled.
/// </remarks>
internal static class CoreLibGraft
{
    /// <summary>The name in <see cref="AppContext"/> under which the pools look for the hook.</summary>
    public const string HookName = "Tarn.PoolHook";

    /// <summary>Returns the id of an assembly's module.</summary>
    public static Guid ReadModule(string path)
    {
        using var reader = new PEReader(File.OpenRead(path));
        return reader.HasMetadata ? ModuleOf(reader.GetMetadataReader()) : throw new GraftException("it is no assembly");
    }

    /// <summary>Grafts the file, whose bytes it changes.</summary>
    /// <exception cref="GraftException">The pools are not as they are known.</exception>
    public static Graft Apply(byte[] file)
    {
        try
        {
            using var reader = new PEReader(new MemoryStream(file, writable: false));
            return reader.HasMetadata ? Apply(file, reader) : throw new GraftException("it is no assembly");
        }
        catch (Exception exception) when (exception is BadImageFormatException or ArgumentException or IndexOutOfRangeException)
        {
            throw new GraftException($"it cannot be read: {exception.Message}");
        }
    }

    private static Graft Apply(byte[] file, PEReader reader)
    {
        MetadataReader metadata = reader.GetMetadataReader();
        var methods = new PoolMethods(metadata);
        var appender = new MetadataAppender(metadata, [.. reader.GetMetadata().GetContent()]);
        var hooked = new HookedBody(methods, appender, HookName);
        var image = new PatchedImage(reader.PEHeaders, file);
        List<(MethodDefinitionHandle Method, int Address)> bodies =
        [
            .. methods.Rents.Select(method => (method, image.Append(hooked.Build(BodyOf(reader, metadata, method), rents: true)))),
            .. methods.Returns.Select(method => (method, image.Append(hooked.Build(BodyOf(reader, metadata, method), rents: false)))),
        ];

        byte[] grown = appender.Build();
        SetAddresses(metadata, grown, bodies);
        image.SetMetadata(image.Append(grown), grown.Length);

        var code = new HiddenCode(file, reader.PEHeaders, methods);
        if (code.Obstacle is not null)
        {
            image.DropNativeCode();
        }

        return new Graft(image.Build(), ModuleOf(metadata), code.Hidden, code.Instances, code.Obstacle, code.IsComposite);
    }

    private static MethodBodyBlock BodyOf(PEReader reader, MetadataReader metadata, MethodDefinitionHandle method) =>
        reader.GetMethodBody(metadata.GetMethodDefinition(method).RelativeVirtualAddress);

    /// <summary>Sets the addresses of the new bodies in the new metadata, and refuses metadata in which more than rows was added.</summary>
    private static unsafe void SetAddresses(
        MetadataReader old, byte[] grown, List<(MethodDefinitionHandle Method, int Address)> bodies)
    {
        fixed (byte* start = grown)
        {
            var reader = new MetadataReader(start, grown.Length);
            for (TableIndex table = 0; table <= TableIndex.GenericParamConstraint; table++)
            {
                bool grows = table is TableIndex.TypeSpec or TableIndex.MemberRef;
                if (reader.GetTableRowSize(table) != old.GetTableRowSize(table)
                    || (reader.GetTableRowCount(table) != old.GetTableRowCount(table) && !grows))
                {
                    throw new GraftException($"its table {table} would change");
                }
            }

            // The address is the first column of a method's row.
            int methods = reader.GetTableMetadataOffset(TableIndex.MethodDef);
            int size = reader.GetTableRowSize(TableIndex.MethodDef);
            foreach ((MethodDefinitionHandle method, int address) in bodies)
            {
                *(int*)(start + methods + (size * (MetadataTokens.GetRowNumber(method) - 1))) = address;
            }
        }
    }

    private static Guid ModuleOf(MetadataReader metadata) => metadata.GetGuid(metadata.GetModuleDefinition().Mvid);
}
