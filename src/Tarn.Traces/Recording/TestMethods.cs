using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Text.RegularExpressions;

namespace Tarn.Traces;

/// <summary>
/// Finds the tests of an assembly by the attributes of its methods. What the compiler made of a test, such as the state machine of an
/// asynchronous one, is of that test. Not thread-safe.
/// </summary>
internal sealed partial class TestMethods(ModuleFiles modules)
{
    private const int RowBits = 0xFF_FFFF;

    /// <summary>The ends of the names of xUnit's, NUnit's and MSTest's attributes, and of those that are derived from them.</summary>
    private static readonly string[] s_attributes =
        ["FactAttribute", "TheoryAttribute", "TestAttribute", "TestCaseAttribute", "TestCaseSourceAttribute", "TestMethodAttribute"];

    private readonly Dictionary<(string Module, int Token), string> _tests = [];

    /// <summary>The full name of the test that a method is of; empty if it is of none.</summary>
    internal string Find(string module, int methodToken)
    {
        if (module.Length == 0 || (methodToken & RowBits) == 0)
        {
            return "";
        }

        if (!_tests.TryGetValue((module, methodToken), out string? test))
        {
            _tests.Add((module, methodToken), test = Read(module, MetadataTokens.MethodDefinitionHandle(methodToken & RowBits)));
        }

        return test;
    }

    private string Read(string module, MethodDefinitionHandle handle)
    {
        try
        {
            return modules.Open(module) is { } file ? Find(file.GetMetadataReader(), handle) : "";
        }
        catch (BadImageFormatException)
        {
            return "";
        }
    }

    private static string Find(MetadataReader module, MethodDefinitionHandle handle)
    {
        MethodDefinition method = module.GetMethodDefinition(handle);
        TypeDefinition type = module.GetTypeDefinition(method.GetDeclaringType());
        string name = SourceName(module.GetString(method.Name));
        while (module.GetString(type.Name) is ['<', ..] made && !type.GetDeclaringType().IsNil)
        {
            name = name == "MoveNext" ? SourceName(made) : name;
            type = module.GetTypeDefinition(type.GetDeclaringType());
        }

        return type.GetMethods().Any(one => module.StringComparer.Equals(module.GetMethodDefinition(one).Name, name) && IsTest(module, one))
            ? $"{NameOf(module, type)}.{name}"
            : "";
    }

    /// <summary>The method that the compiler's name of a lambda, a local function or a state machine is made of.</summary>
    private static string SourceName(string name) => MadeName().Match(name) is { Success: true } made ? made.Groups[1].Value : name;

    private static string NameOf(MetadataReader module, TypeDefinition type)
    {
        string name = module.GetString(type.Name);
        if (!type.GetDeclaringType().IsNil)
        {
            return $"{NameOf(module, module.GetTypeDefinition(type.GetDeclaringType()))}.{name}";
        }

        return type.Namespace.IsNil ? name : $"{module.GetString(type.Namespace)}.{name}";
    }

    private static bool IsTest(MetadataReader module, MethodDefinitionHandle method) =>
        module.GetMethodDefinition(method).GetCustomAttributes()
            .Select(one => AttributeName(module, module.GetCustomAttribute(one).Constructor))
            .Any(name => s_attributes.Any(end => name.EndsWith(end, StringComparison.Ordinal)));

    private static string AttributeName(MetadataReader module, EntityHandle constructor)
    {
        EntityHandle type = constructor.Kind switch
        {
            HandleKind.MemberReference => module.GetMemberReference((MemberReferenceHandle)constructor).Parent,
            HandleKind.MethodDefinition => module.GetMethodDefinition((MethodDefinitionHandle)constructor).GetDeclaringType(),
            _ => default,
        };
        return type.Kind switch
        {
            HandleKind.TypeReference => module.GetString(module.GetTypeReference((TypeReferenceHandle)type).Name),
            HandleKind.TypeDefinition when !type.IsNil => module.GetString(module.GetTypeDefinition((TypeDefinitionHandle)type).Name),
            _ => "",
        };
    }

    [GeneratedRegex("^<+([^<>]+)>")]
    private static partial Regex MadeName();
}
