using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Tarn.Sanitizing.Grafting;

/// <summary>What the graft needs of the metadata of System.Private.CoreLib, by name.</summary>
internal sealed class PoolMethods
{
    private static readonly string[] s_pools = ["SharedArrayPool`1", "ConfigurableArrayPool`1"];

    /// <summary>The instance methods <c>!0[] Rent(int)</c> and <c>void Return(!0[], bool)</c>.</summary>
    private static readonly byte[] s_rent = [0x20, 1, 0x1D, 0x13, 0, 0x08];
    private static readonly byte[] s_return = [0x20, 2, 0x01, 0x1D, 0x13, 0, 0x02];

    private readonly MetadataReader _reader;
    private readonly Dictionary<(string Namespace, string Name), TypeDefinitionHandle> _types = [];

    public PoolMethods(MetadataReader reader)
    {
        _reader = reader;
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            if (!type.IsNested)
            {
                _ = _types.TryAdd((reader.GetString(type.Namespace), reader.GetString(type.Name)), handle);
            }
        }

        Type = FindType("System", "Type");
        Func = FindType("System", "Func`3");
        ArrayPool = FindType("System.Buffers", "ArrayPool`1");
        GetData = FindMethod(FindType("System", "AppContext"), "GetData", [0x00, 1, 0x1C, 0x0E]);
        GetTypeFromHandle = FindMethod(
            Type, "GetTypeFromHandle", [0x00, 1, 0x12, .. Coded(Type), 0x11, .. Coded(FindType("System", "RuntimeTypeHandle"))]);
        Invoke = reader.GetMethodDefinition(FindMethod(Func, "Invoke", [0x20, 2, 0x13, 2, 0x13, 0, 0x13, 1])).Name;
        foreach (TypeDefinitionHandle pool in s_pools.Select(name => FindType("System.Buffers", name)))
        {
            Pools.Add(pool);
            Rents.Add(FindMethod(pool, "Rent", s_rent));
            Returns.Add(FindMethod(pool, "Return", s_return));
            RefuseOverloads(pool);
        }

        Rent = reader.GetMethodDefinition(Rents[0]).Name;
        Return = reader.GetMethodDefinition(Returns[0]).Name;
    }

    public TypeDefinitionHandle Type { get; }

    public TypeDefinitionHandle Func { get; }

    public TypeDefinitionHandle ArrayPool { get; }

    public MethodDefinitionHandle GetData { get; }

    public MethodDefinitionHandle GetTypeFromHandle { get; }

    public StringHandle Invoke { get; }

    public StringHandle Rent { get; }

    public StringHandle Return { get; }

    public List<TypeDefinitionHandle> Pools { get; } = [];

    public List<MethodDefinitionHandle> Rents { get; } = [];

    public List<MethodDefinitionHandle> Returns { get; } = [];

    /// <summary>A type as signatures write it.</summary>
    public static byte[] Coded(TypeDefinitionHandle type)
    {
        var builder = new BlobBuilder();
        builder.WriteCompressedInteger(CodedIndex.TypeDefOrRef(type));
        return builder.ToArray();
    }

    private TypeDefinitionHandle FindType(string space, string name) => _types.TryGetValue((space, name), out TypeDefinitionHandle found)
        ? found
        : throw new GraftException($"it has no type {space}.{name}");

    private MethodDefinitionHandle FindMethod(TypeDefinitionHandle type, string name, byte[] signature)
    {
        foreach (MethodDefinitionHandle handle in MethodsNamed(type, name))
        {
            if (_reader.GetBlobBytes(_reader.GetMethodDefinition(handle).Signature).AsSpan().SequenceEqual(signature))
            {
                return handle;
            }
        }

        throw new GraftException($"its {_reader.GetString(_reader.GetTypeDefinition(type).Name)} has no {name} of the known signature");
    }

    /// <summary>A second <c>Rent</c> or <c>Return</c> of a pool would be a way around the hook.</summary>
    private void RefuseOverloads(TypeDefinitionHandle pool)
    {
        if (MethodsNamed(pool, "Rent").Count() != 1 || MethodsNamed(pool, "Return").Count() != 1)
        {
            throw new GraftException($"its {_reader.GetString(_reader.GetTypeDefinition(pool).Name)} has overloads that are not known");
        }
    }

    private IEnumerable<MethodDefinitionHandle> MethodsNamed(TypeDefinitionHandle type, string name) => _reader.GetTypeDefinition(type)
        .GetMethods()
        .Where(handle => _reader.StringComparer.Equals(_reader.GetMethodDefinition(handle).Name, name));
}
